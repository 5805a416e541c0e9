/** The search in an editor: what to find, how, and what to put in its place. */
import {
  closeSearchPanel, findNext, findPrevious, getSearchQuery, openSearchPanel, replaceAll, replaceNext, search, SearchQuery, searchPanelOpen,
  setSearchQuery,
} from '@codemirror/search';
import { type Extension, Prec } from '@codemirror/state';
import { type Command, type EditorView, keymap, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';
import { formatNumber, t } from '~/i18n';
import { createIcon, type IconName } from './icons';
import { countMatches } from './matches';
import classes from './search.module.css';

/** The extension: Mod-F finds, Mod-Alt-F replaces. */
export function searchInText(): Extension {
  return [
    search({ top: true, createPanel: (view) => new SearchPanel(view) }),
    Prec.high(keymap.of([{ key: 'Mod-Alt-f', run: openReplace, scope: 'editor search-panel', preventDefault: true }])),
  ];
}

const openReplace: Command = (view) => {
  openSearchPanel(view);
  const toggle = view.dom.querySelector<HTMLElement>(`.${classes.panel} [aria-expanded="false"]`);
  toggle?.click();
  return true;
};

class SearchPanel implements Panel {
  readonly dom = document.createElement('search');
  readonly top = true;
  private readonly find = input(t('fields.code.find'));
  private readonly replacement = input(t('fields.code.replaceWith'));
  private readonly count = document.createElement('span');
  private readonly second = document.createElement('div');
  private readonly options: { matchCase: HTMLButtonElement; byWord: HTMLButtonElement; regexp: HTMLButtonElement };

  constructor(private readonly view: EditorView) {
    const query = getSearchQuery(view.state);
    const change = () => this.change();
    this.find.setAttribute('main-field', 'true');
    this.find.value = query.search;
    this.replacement.value = query.replace;
    for (const field of [this.find, this.replacement]) field.addEventListener('input', change);
    this.options = {
      matchCase: toggle('case', t('fields.code.matchCase'), query.caseSensitive, change),
      byWord: toggle('word', t('fields.code.byWord'), query.wholeWord, change),
      regexp: toggle('regexp', t('fields.code.regexp'), query.regexp, change),
    };
    this.dom.className = classes.panel ?? '';
    this.dom.setAttribute('aria-label', t('fields.code.find'));
    this.dom.append(...this.rows());
    this.dom.addEventListener('keydown', (event) => this.onKeyDown(event));
    this.showCount();
  }

  mount(): void {
    this.find.select();
  }

  update(update: ViewUpdate): void {
    for (const tr of update.transactions) {
      for (const effect of tr.effects) if (effect.is(setSearchQuery)) this.take(effect.value);
    }
    if (update.docChanged || update.selectionSet || update.transactions.length > 0) this.showCount();
  }

  private rows(): HTMLElement[] {
    const { view } = this;
    const first = row();
    this.count.className = classes.count ?? '';
    this.count.setAttribute('role', 'status');
    const fields = document.createElement('div');
    fields.className = classes.field ?? '';
    fields.append(this.find, this.count);
    const buttons = document.createElement('div');
    buttons.className = classes.buttons ?? '';
    buttons.append(
      button('up', t('fields.code.previous'), () => findPrevious(view)),
      button('down', t('fields.code.next'), () => findNext(view)),
      this.options.matchCase,
      this.options.byWord,
      this.options.regexp,
      button('close', t('general.close'), () => closeSearchPanel(view)),
    );
    first.append(...(view.state.readOnly ? [] : [this.replaceToggle()]), fields, buttons);
    this.second.className = classes.row ?? '';
    this.second.hidden = true;
    this.second.append(
      this.replacement,
      textButton(t('fields.code.replace'), () => replaceNext(view)),
      textButton(t('fields.code.replaceAll'), () => replaceAll(view)),
    );
    return [first, this.second];
  }

  private replaceToggle(): HTMLButtonElement {
    const made = button('right', t('fields.code.replace'), () => {
      this.second.hidden = !this.second.hidden;
      made.setAttribute('aria-expanded', String(!this.second.hidden));
      (this.second.hidden ? this.find : this.replacement).focus();
    });
    made.setAttribute('aria-expanded', 'false');
    return made;
  }

  private change(): void {
    const pressed = (it: HTMLButtonElement) => it.getAttribute('aria-pressed') === 'true';
    const query = new SearchQuery({
      search: this.find.value,
      replace: this.replacement.value,
      caseSensitive: pressed(this.options.matchCase),
      wholeWord: pressed(this.options.byWord),
      regexp: pressed(this.options.regexp),
    });
    if (!query.eq(getSearchQuery(this.view.state))) this.view.dispatch({ effects: setSearchQuery.of(query) });
  }

  private take(query: SearchQuery): void {
    if (this.find.value !== query.search) this.find.value = query.search;
    if (this.replacement.value !== query.replace) this.replacement.value = query.replace;
    this.options.matchCase.setAttribute('aria-pressed', String(query.caseSensitive));
    this.options.byWord.setAttribute('aria-pressed', String(query.wholeWord));
    this.options.regexp.setAttribute('aria-pressed', String(query.regexp));
  }

  private showCount(): void {
    const query = getSearchQuery(this.view.state);
    const { count, current, more } = countMatches(this.view.state, query);
    const total = formatNumber(count) + (more ? '+' : '');
    const told = current > 0 ? t('fields.code.matchOf', { current: formatNumber(current), total }) : t('fields.code.matches', { count, total });
    const text = query.search === '' ? '' : query.valid && count > 0 ? told : t('fields.code.noMatch');
    if (this.count.textContent !== text) this.count.textContent = text;
    this.find.toggleAttribute('data-none', query.search !== '' && count === 0);
  }

  private onKeyDown(event: KeyboardEvent): void {
    if (runScopeHandlers(this.view, event, 'search-panel')) {
      event.preventDefault();
      // Esc closes the search and nothing behind it.
      event.stopPropagation();
      return;
    }
    if (event.key !== 'Enter' || event.isComposing) return;
    if (event.target === this.find) (event.shiftKey ? findPrevious : findNext)(this.view);
    else if (event.target === this.replacement) replaceNext(this.view);
    else return;
    event.preventDefault();
  }
}

/** Opens the search, or closes it. */
export function toggleSearch(view: EditorView): void {
  if (searchPanelOpen(view.state)) closeSearchPanel(view);
  else openSearchPanel(view);
}

function row(): HTMLDivElement {
  const made = document.createElement('div');
  made.className = classes.row ?? '';
  return made;
}

function input(label: string): HTMLInputElement {
  const made = document.createElement('input');
  made.className = classes.input ?? '';
  made.placeholder = label;
  made.spellcheck = false;
  made.autocapitalize = 'off';
  made.autocomplete = 'off';
  made.setAttribute('aria-label', label);
  return made;
}

function button(icon: IconName, label: string, act: () => void): HTMLButtonElement {
  const made = textButton('', act);
  made.className = classes.icon ?? '';
  made.title = label;
  made.setAttribute('aria-label', label);
  made.append(createIcon(icon));
  return made;
}

function toggle(icon: IconName, label: string, on: boolean, change: () => void): HTMLButtonElement {
  const made = button(icon, label, () => {
    made.setAttribute('aria-pressed', String(made.getAttribute('aria-pressed') !== 'true'));
    change();
  });
  made.setAttribute('aria-pressed', String(on));
  return made;
}

function textButton(label: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = classes.button ?? '';
  made.textContent = label;
  made.addEventListener('click', act);
  return made;
}
