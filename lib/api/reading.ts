import { queryOptions } from '@tanstack/react-query'
import type {
  LeadFollowUp,
  ReaderFollowUp,
  ReadingAnswer,
  ReadingLimits,
  ReadingQuestion,
  UnusualAnswer,
} from '@/lib/contract/reading'
import type { LeadKind } from '@/lib/contract/lead'
import { nothing, queryString, request } from './send'
import { shape } from './shape'

const QUESTION = '/api/reading/question'

/** The hours that the person has not explained. */
export const readingQuestion = queryOptions({
  queryKey: ['reading-question'],
  queryFn: ({ signal }) => request(QUESTION, { read: shape<ReadingQuestion>({ hours: 'array' }), signal }),
  gcTime: 0,
})

export function answerReadingQuestion(answer: ReadingAnswer): Promise<void> {
  return request(QUESTION, { method: 'POST', body: answer, read: nothing })
}

const UNUSUAL_EVERY_MS = 5_000

/** Who read more than usual lately, for administrators, as is all that follows. */
export const unusualReading = queryOptions({
  queryKey: ['reading-unusual'],
  queryFn: ({ signal }) => request('/api/reading/unusual', { read: shape<UnusualAnswer>({ hours: 'array' }), signal }),
  refetchInterval: UNUSUAL_EVERY_MS,
  refetchOnWindowFocus: true,
})

export function saveReadingLimits(limits: ReadingLimits): Promise<void> {
  return request('/api/reading/limits', { method: 'PUT', body: limits, read: nothing })
}

/** A contact, or the person of one lead. */
export type FollowedPerson = { contact: string } | { kind: LeadKind; id: string }

const LEADS = '/api/log-follow-up/leads'

/** Asked once, for each asking stands in the log. */
const ONCE = { staleTime: Infinity, refetchOnWindowFocus: false, retry: false } as const

/** Who has looked at a person's leads. */
export function leadFollowUp(person: FollowedPerson) {
  const read = shape<LeadFollowUp>({ leads: 'array', entries: 'array', exports: 'array', hours: 'array' })
  return queryOptions({
    queryKey: ['lead-follow-up', person],
    queryFn: ({ signal }) => request(LEADS + queryString(person), { read, signal }),
    ...ONCE,
  })
}

export function leadFollowUpFile(person: FollowedPerson): string {
  return LEADS + queryString({ ...person, format: 'csv' })
}

export type FollowedReader = { user: string; from: string; to: string }

const PEOPLE = '/api/log-follow-up/people'

/** What somebody looked at within some days. */
export function readerFollowUp(reader: FollowedReader) {
  const read = shape<ReaderFollowUp>({ hours: 'array', opened: 'array', exports: 'array' })
  return queryOptions({
    queryKey: ['reader-follow-up', reader],
    queryFn: ({ signal }) => request(PEOPLE + queryString(reader), { read, signal }),
    ...ONCE,
  })
}

export function readerFollowUpFile(reader: FollowedReader): string {
  return PEOPLE + queryString({ ...reader, format: 'csv' })
}
