/**
 * Every text that the commands of operators print, with its placeholders. This list is closed: `commands` in a locale table
 * has exactly these. `{count}` selects the plural form.
 */
export const commandTexts = {
  'backup-help': [],
  'restore-help': [],
  'option-unknown': ['option'],
  'option-value': ['option'],
  'file-needed': [],
  'file-unneeded': [],
  'language-unknown': ['value', 'known'],
  'help-hint': ['command'],
  'in-memory': [],
  'server-backup': [],
  'server-restore': [],
  'file-missing': ['file'],
  'file-exists': ['file'],
  'file-same': ['file'],
  'file-foreign': ['file'],
  'file-empty': ['file'],
  'file-newer': ['file'],
  'file-unfinished': ['file'],
  'file-without-log': ['file'],
  'file-with-index': ['file', 'index'],
  'file-damaged': ['file', 'reason'],
  'database-in-use': ['file'],
  copying: ['percent'],
  checking: ['file'],
  'copy-failed': ['file', 'copy', 'reason'],
  copied: ['file', 'size'],
  restored: ['file', 'copy'],
  'set-aside': ['file'],
} as const;

export type CommandText = keyof typeof commandTexts;
