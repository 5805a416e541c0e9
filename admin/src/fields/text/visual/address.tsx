import type { EditorView } from '@codemirror/view';
import { ReactWidget } from '../portals';
import { AddressChip } from './AddressChip';
import { editLinkAt } from './link-panel';

/** The address of the link that is being written, in short. */
export class Address extends ReactWidget {
  constructor(private readonly address: string) {
    super();
  }

  override eq(other: Address): boolean {
    return other.address === this.address;
  }

  protected render(view: EditorView, element: HTMLElement) {
    return <AddressChip address={this.address} onEdit={() => editLinkAt(view, view.posAtDOM(element))} />;
  }
}
