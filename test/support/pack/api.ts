/** The public API of a package as text: each export of each entry, and whatever those name, as the declarations of the archive say. */
import { join, relative } from 'node:path';
// The version whose compiler is a library, which 7 is not.
import ts from '../../client/node_modules/typescript/lib/typescript.js';

function printDeclaration(node: ts.Node): string {
  const printer = ts.createPrinter({ removeComments: true });
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return printer.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile());
}

/** Such as `Pick<Other, 'a'>`: what it has counts, and not what it is made of. */
function isDerived(node: ts.Node): node is ts.InterfaceDeclaration {
  const bases = ts.isInterfaceDeclaration(node) ? (node.heritageClauses ?? []).flatMap(({ types }) => [...types]) : [];
  return bases.some(({ expression }) => /^(?:Pick|Omit|Partial)$/.test(expression.getText()));
}

const OPTIONS = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts'],
  types: ['node'],
};
const host = ts.createCompilerHost(OPTIONS);
const read = host.getSourceFile;
const sources = new Map<string, ts.SourceFile | undefined>();
// Most of what packages need is the same for all.
host.getSourceFile = (file, ...rest) => {
  if (!sources.has(file)) sources.set(file, read(file, ...rest));
  return sources.get(file);
};

/**
 * @param folder of the package, as it is installed
 * @param exported the `exports` of its manifest
 * @returns one line for each export, then the declarations that they lead to, by the files of the package
 */
export function describeApi(folder: string, exported: Readonly<Record<string, string | { default: string }>>): string {
  const entries = Object.entries(exported)
    .map(([name, target]) => [name, typeof target === 'string' ? target : target.default] as const)
    .filter(([, target]) => target.endsWith('.js'))
    .map(([name, target]) => [name, join(folder, target.replace(/\.js$/, '.d.ts'))] as const);
  const files = entries.map(([, file]) => file);
  const program = ts.createProgram(files, OPTIONS, host);
  const checker = program.getTypeChecker();
  const declarations = new Map<string, Set<string>>();
  const seen = new Set<ts.Symbol>();

  const follow = (symbol: ts.Symbol | undefined): void => {
    if (!symbol) return;
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (seen.has(own)) return;
    seen.add(own);
    for (const declaration of own.declarations ?? []) {
      const file = relative(folder, declaration.getSourceFile().fileName);
      const isWhole = declaration.parent?.kind === ts.SyntaxKind.SourceFile || ts.isVariableDeclaration(declaration);
      // The names of sentences grow with every fault that is told.
      if (/^\.\.|node_modules|texts\/phrase/.test(file) || !isWhole) continue;
      const texts = declarations.get(file) ?? new Set();
      declarations.set(file, texts);
      const members = isDerived(declaration) ? checker.getDeclaredTypeOfSymbol(own).getProperties() : [];
      if (members.length === 0) {
        texts.add(printDeclaration(declaration));
        visit(declaration);
        continue;
      }
      const lines = members.map((member) => {
        for (const part of member.declarations ?? []) visit(part);
        const type = checker.typeToString(checker.getTypeOfSymbol(member), undefined, ts.TypeFormatFlags.NoTruncation);
        return `    ${member.name}${member.flags & ts.SymbolFlags.Optional ? '?' : ''}: ${type};\n`;
      });
      texts.add(`export interface ${own.name} {\n${lines.toSorted().join('')}}`);
    }
  };

  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) follow(checker.getSymbolAtLocation(node));
    ts.forEachChild(node, visit);
  };

  const lines = entries.flatMap(([name, file]) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${name} exports nothing`);
    const symbols = checker.getExportsOfModule(module).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const symbol of symbols) follow(symbol);
    return symbols.map((symbol) => `${name} ${symbol.name}`);
  });
  const bodies = [...declarations]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, texts]) => `\n# ${file}\n${[...texts].toSorted().join('\n')}`);
  return `${[...lines, ...bodies].join('\n')}\n`;
}

/**
 * @param former the report that is in the repository; its first line is the version of which it is
 * @returns what the version must be raised by, or nothing if it says already how the API has changed
 */
export function findRaise(former: string, report: string): 'minor' | 'major' | undefined {
  const [was = '', ...lines] = former.split('\n');
  const [is = '', ...now] = report.split('\n');
  if (lines.join('\n') === now.join('\n')) return undefined;
  const [major, minor] = was.split('.');
  const [newMajor, newMinor] = is.split('.');
  if (newMajor !== major) return undefined;
  if (lines.some((line) => !now.includes(line))) return 'major';
  return newMinor === minor ? 'minor' : undefined;
}
