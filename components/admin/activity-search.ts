import { parseAsString, parseAsStringLiteral } from 'nuqs'

const KINDS = ['asked-question', 'declaration-of-interest'] as const

/** What is looked for, in the URL: ids only, so that a finding can be passed on. */
export const activityParams = {
  user: parseAsString,
  kind: parseAsStringLiteral(KINDS),
  id: parseAsString,
  action: parseAsString,
}

/** The actions that the log knows, in the order of a working day. */
export const ACTIONS = [
  'sign-in',
  'sign-in-failed',
  'contact-opened',
  'triage-changed',
  'triage-undone',
  'note-added',
  'note-deleted',
  'export-started',
  'export-ended',
  'view-added',
  'view-deleted',
  'user-created',
  'user-changed',
  'invitation-issued',
  'invitation-accepted',
  'template-added',
  'template-changed',
  'template-deleted',
  'settings-changed',
  'purge-agreed',
] as const
export type Action = (typeof ACTIONS)[number]

export function isAction(text: string): text is Action {
  return ACTIONS.some((action) => action === text)
}
