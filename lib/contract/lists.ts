/** The two lists differ by this. The file does without zod, because browsers load it. */
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
/** The keys name a queue's number in `GET /api/day`, the values its address. */
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

export const OTHER_KIND = {
  'asked-question': 'declaration-of-interest',
  'declaration-of-interest': 'asked-question',
} as const

export const SORTS = LISTS['declarations-of-interest'].sorts
export const LEAD_STATUSES = ['new', 'in-progress', 'handled', 'dismissed'] as const
export function isClosed(status: (typeof LEAD_STATUSES)[number] | undefined): status is 'handled' | 'dismissed' {
  return status === 'handled' || status === 'dismissed'
}
/** Filters know these modes; a new mode of the service is only shown. */
export const CONTACT_MODES = ['email', 'phone'] as const

export const ATTEMPT_OUTCOMES = ['sent', 'talked', 'no-answer', 'call-again'] as const
/** Intag sends a school's mail, or the mail opens in the program that the staff use. */
export const MAIL_WAYS = ['intag', 'program', 'outlook', 'gmail'] as const
export type MailWay = (typeof MAIL_WAYS)[number]
export const MAX_REPLY_LENGTH = { subject: 200, body: 20_000 } as const
export function isAnswer(outcome: (typeof ATTEMPT_OUTCOMES)[number] | undefined): boolean {
  return outcome === 'sent' || outcome === 'talked'
}

export const FEED_LISTS = [...LEAD_LISTS, 'high-schools'] as const
export type FeedList = (typeof FEED_LISTS)[number]

/** Other years are typing errors or tests; screens put all such leads under one choice. */
export function isPlausibleYear(year: number | null, thisYear: number): year is number {
  return year !== null && year >= thisYear - 4 && year <= thisYear + 5
}
