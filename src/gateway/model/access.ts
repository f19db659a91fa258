export const scopes = ['read', 'write'] as const;
export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

export const accessModes = ['open', 'write', 'all'] as const;
export type Access = (typeof accessModes)[number];

export function requiredScope(access: Access, isWrite: boolean, isPublic: boolean): Scope | undefined {
  if (access === 'open') return undefined;
  if (isWrite) return 'write';
  return access === 'all' && !isPublic ? 'read' : undefined;
}
