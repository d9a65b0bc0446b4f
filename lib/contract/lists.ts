/* The lists and queues with what they are filtered and sorted by. Browsers load this file, so it does without zod. */

export const LISTS = {
  'asked-questions': {
    list: 'asked-questions',
    kind: 'asked-question',
    path: '/api/asked-questions',
    href: '/questions',
    field: 'askedQuestions',
    ownFilter: 'mode',
    sorts: ['-createdAt', 'createdAt', 'school', 'waiting'],
  },
  'declarations-of-interest': {
    list: 'declarations-of-interest',
    kind: 'declaration-of-interest',
    path: '/api/declarations-of-interest',
    href: '/declarations',
    field: 'declarationsOfInterest',
    ownFilter: 'year',
    sorts: ['-createdAt', 'createdAt', 'name', 'school', 'year', 'waiting'],
  },
} as const
export type ListDescription = (typeof LISTS)[keyof typeof LISTS]

export const LISTS_BY_KIND = {
  'asked-question': LISTS['asked-questions'],
  'declaration-of-interest': LISTS['declarations-of-interest'],
} as const
export const LEAD_LISTS = ['asked-questions', 'declarations-of-interest'] as const
export const LEAD_KINDS = ['asked-question', 'declaration-of-interest'] as const
export const OTHER_KIND = {
  'asked-question': 'declaration-of-interest',
  'declaration-of-interest': 'asked-question',
} as const

export const FEED_LISTS = [...LEAD_LISTS, 'high-schools'] as const
export type FeedList = (typeof FEED_LISTS)[number]

/** `GET /api/day` counts each queue under its key; addresses have the value. */
export const QUEUES = {
  mine: 'mine',
  unassigned: 'unassigned',
  waiting: 'waiting',
  late: 'late',
  followUps: 'follow-ups',
  new: 'new',
  dueToday: 'due-today',
  snoozed: 'snoozed',
} as const
export type QueueName = keyof typeof QUEUES

export function findQueue(path: string): QueueName | undefined {
  return (Object.keys(QUEUES) as QueueName[]).find((name) => QUEUES[name] === path)
}

export const SORTS = LISTS['declarations-of-interest'].sorts

/** A filter knows these modes of contact only; a new mode of the service is shown as it is. */
export const CONTACT_MODES = ['email', 'phone'] as const

export const LEAD_STATUSES = ['new', 'in-progress', 'handled', 'dismissed'] as const

export function isClosed(status: (typeof LEAD_STATUSES)[number] | undefined): status is 'handled' | 'dismissed' {
  return status === 'handled' || status === 'dismissed'
}

export const ATTEMPT_OUTCOMES = ['sent', 'talked', 'no-answer', 'call-again'] as const

export function isAnswer(outcome: (typeof ATTEMPT_OUTCOMES)[number] | undefined): boolean {
  return outcome === 'sent' || outcome === 'talked'
}
