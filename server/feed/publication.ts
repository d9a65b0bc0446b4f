import { z } from 'zod'
import { tryParseJson } from '@/server/base/parse-input'
import { sharedStateSchema } from './list-state'
import { validatorsSchema } from './response-headers'

/** What the instances share of a list, without its body. `sentAt` is a moment of the publisher's clock. */
const storedPublicationSchema = z.object({
  id: z.string(),
  sentAt: z.number(),
  validators: validatorsSchema,
  state: sharedStateSchema,
})
export type StoredPublication = z.infer<typeof storedPublicationSchema>
export type Publication = Omit<StoredPublication, 'sentAt'> & { body: Uint8Array | null }

/** A smaller difference between clocks is ignored, so that all instances show the same moments. */
const SAME_CLOCK_MS = 250

/** Translates moments to the reader's clock, which may be minutes (`aheadMs`) ahead of the publisher's. */
export function toLocalTime({ id, state, validators }: StoredPublication, aheadMs: number): Omit<Publication, 'body'> {
  const ms = Math.abs(aheadMs) < SAME_CLOCK_MS ? 0 : aheadMs
  const { fetchedAt, nextAt, problem } = state
  const { wholeAt } = validators
  return {
    id,
    state: {
      ...state,
      fetchedAt: fetchedAt && fetchedAt + ms,
      nextAt: nextAt && nextAt + ms,
      problem: problem && { ...problem, since: problem.since + ms },
    },
    validators: { ...validators, wholeAt: wholeAt && wholeAt + ms },
  }
}

/** Returns null for what another release wrote and this one cannot read. */
export function parsePublished(text: string): StoredPublication | null {
  return storedPublicationSchema.safeParse(tryParseJson(text)).data ?? null
}
