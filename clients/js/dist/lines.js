/** Returns the address that all routes of a workspace begin with. */
export function baseAddress({ url, workspace = 'default' }) {
    return `${url.replace(/\/+$/, '')}/api/v1/workspaces/${workspace}`;
}
/** Returns the headers of all requests. */
export function requestHeaders({ token }) {
    return token ? { authorization: `Bearer ${token}` } : {};
}
/** Returns the lines of a bundle or of what changed, and the cursor of its last line. */
export function parseLines(text) {
    const lines = text.trim().split('\n').map((it) => JSON.parse(it));
    const end = lines.pop();
    if (end?.kind !== 'end')
        throw new Error('The answer is not complete.');
    return { lines, cursor: end.cursor };
}
