export const ACTIVITY_GROUPS = {
  signIns: [
    'sign-in',
    'sign-in-failed',
    'sign-in-throttled',
    'sign-out',
    'sessions-ended',
    // A user has signed in again before an action that needs it, or failed to.
    'proof-given',
    'proof-failed',
    'recovery-code-used',
    'refused',
  ],
  reading: ['opened', 'log-followed'],
  work: ['triage-changed', 'triage-undone', 'attempt-logged', 'attempt-undone', 'note-added', 'note-deleted'],
  exports: ['export-started', 'export-ended'],
  users: [
    'user-created',
    'user-changed',
    'invitation-issued',
    'invitation-accepted',
    'reset-link-issued',
    'link-mailed',
    'password-reset',
    'password-changed',
    'break-glass-changed',
    'second-factor-added',
    'second-factor-removed',
    'recovery-codes-made',
    'identity-bound',
    'identities-removed',
  ],
  rights: ['protection-added', 'protection-changed', 'protection-lifted', 'extract-made', 'data-erased'],
  settings: [
    'settings-changed',
    'template-added',
    'template-changed',
    'template-deleted',
    'answer-saved',
    'answer-deleted',
    'view-added',
    'view-deleted',
    'mail-tested',
    // An administrator accepts a list that shrank suddenly, and that its missing leads are deleted.
    'purge-agreed',
    'list-believed',
    'backup-made',
    'backup-restored',
  ],
} as const

export type ActivityGroup = keyof typeof ACTIVITY_GROUPS
export const ACTIVITY_ACTIONS = Object.values(ACTIVITY_GROUPS).flat()
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number]
