/** Finds and changes values in the text of JSON, whose order and form stay as they are: a diff shows what was changed alone. */
import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';

const STYLE = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** @returns the line of a place such as `fields.cars`, from 1 on; that of the nearest part above if it is not there */
export function findLine(text: string, place: string): number {
  const root = parseTree(text);
  const path = place.split('.');
  while (root && path.length > 0 && !findNodeAtLocation(root, path)) path.pop();
  return text.slice(0, root && findNodeAtLocation(root, path)?.offset).split('\n').length;
}

/** @param edits are values by their paths; a member that is missing is added as the last one */
export function editJson(text: string, edits: readonly (readonly [path: readonly string[], value: unknown])[]): string {
  return edits.reduce((all, [path, value]) => applyEdits(all, modify(all, [...path], value, STYLE)), text);
}
