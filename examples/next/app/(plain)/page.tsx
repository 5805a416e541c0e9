export default function Root() {
  return (
    <>
      <meta httpEquiv="refresh" content="0; url=/en/" />
      <a href="/en/">Field Notes</a>
    </>
  );
}
