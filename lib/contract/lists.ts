/**
 * The two lists of leads: everything they differ by except the leads themselves. Who handles both looks it up here instead
 * of telling them apart. Without zod, for browsers load it.
 */
export const LISTS = {
  'asked-questions': {
    list: 'asked-questions',
    kind: 'asked-question',
    /** The route that answers it, here and in the service. */
    path: '/api/asked-questions',
    /** The screen that shows it. */
    href: '/questions',
    /** Where its leads stand in an answer, ours and the service's. */
    field: 'askedQuestions',
    /** The filter that only this list has. */
    ownFilter: 'mode',
    /** The orders that mean something here: a question has neither a name nor a year. */
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

/** The same by kind of lead. */
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

/** Every order there is: declarations have them all. */
export const SORTS = LISTS['declarations-of-interest'].sorts
/** What the staff make of a lead, in the order in which the choices are offered. */
export const LEAD_STATUSES = ['new', 'in-progress', 'handled', 'dismissed'] as const
/** Nobody has to do anything more about it, and it does not come back by itself. */
export function isClosed(status: (typeof LEAD_STATUSES)[number] | undefined): status is 'handled' | 'dismissed' {
  return status === 'handled' || status === 'dismissed'
}
/** How a sender asks to be answered. The service may come to know other ways, which are shown but cannot be filtered by. */
export const CONTACT_MODES = ['email', 'phone'] as const

/** How somebody was reached for, and what came of it; `unsure`: a mail by Intag that may have been sent. */
export const ATTEMPT_CHANNELS = ['email', 'phone', 'other'] as const
export const ATTEMPT_OUTCOMES = ['sent', 'talked', 'no-answer', 'call-again', 'unsure'] as const
/** How long a reply may be, in UTF-16 units. */
export const LONGEST_REPLY = { subject: 200, body: 20_000 } as const
/** Whether the person has got an answer. */
export function isAnswer(outcome: (typeof ATTEMPT_OUTCOMES)[number] | undefined): boolean {
  return outcome === 'sent' || outcome === 'talked'
}

/** Everything that is fetched from the service as a whole. */
export const FEED_LISTS = [...LEAD_LISTS, 'high-schools'] as const
export type FeedList = (typeof FEED_LISTS)[number]
