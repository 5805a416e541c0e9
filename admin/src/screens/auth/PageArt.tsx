/** An open book: what is written on the right-hand page, the recto, comes out as data. */
export function PageArt({ className }: { className?: string | undefined }) {
  const ink = 'var(--mantine-color-ink-text)';
  const line = 'var(--recto-input-line)';
  return (
    <svg viewBox="35 14 250 160" className={className} aria-hidden="true" fill="none">
      <path
        d="M160 34c-24-16-62-20-118-16a6 6 0 0 0-6 6v124a6 6 0 0 0 6.4 6c52-3.5 92 1 117.6 16z"
        fill="var(--mantine-color-body)" stroke={line} strokeWidth="1.5"
      />
      <path
        d="M160 34c24-16 62-20 118-16a6 6 0 0 1 6 6v124a6 6 0 0 1-6.4 6c-52-3.5-92 1-117.6 16z"
        fill="var(--recto-surface)" stroke={line} strokeWidth="1.5"
      />
      <g stroke={line} strokeWidth="3" strokeLinecap="round" opacity="0.55">
        <path d="M60 46c26-1 48 1 72 9M60 64c26-1 48 1 72 9M60 82c20-.7 38 .4 54 5M60 106c26-1 48 1 72 9M60 124c18-.6 34 .3 46 3" />
      </g>
      <path d="M186 57c14-5 28-8 44-9" stroke={ink} strokeWidth="6" strokeLinecap="round" />
      <g stroke={ink} strokeWidth="3" strokeLinecap="round" opacity="0.7">
        <path d="M188 79c-5 1-6 3-6 7v4c0 4-1 6-5 7 4 0 5 2 5 6v5c0 4 2 6 6 6" />
        <path d="M252 69c5-.4 6.5 1 6.5 5v4c0 4 1.5 5.5 5.5 5.5-4 .6-5.5 2.6-5.5 6.600v5c0 4-1.5 5.9-6.5 6.4" />
        <path d="M200 90c12-3 24-5 38-6M200 105c8-2 16-3 24-4" />
      </g>
      <path d="M186 136c16-5 40-7 66-8" stroke={line} strokeWidth="3" strokeLinecap="round" opacity="0.55" />
      <path d="M160 34v136" stroke={line} strokeWidth="1.5" />
    </svg>
  );
}
