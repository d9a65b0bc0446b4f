import 'server-only'
import { z } from 'zod'
import { problemKindSchema } from '@/lib/contract/snapshot'
import type { ListName } from './list-state'

/** What several instances share of each list: the turn to fetch it, how the last attempt went, the last good body. */
export type Share = {
  /** Null when nobody has told anything for a while. */
  read(list: ListName): Promise<SharedState | null>
  /** State and body as they belong together; null when there is no body. */
  readWhole(list: ListName): Promise<SharedWhole | null>
  /**
   * The turn to fetch this list; null while another instance has it. Asking again gives back the turn this instance may
   * still have; one whose instance died ends by itself.
   */
  takeTurn(list: ListName): Promise<Turn | null>
  /** Calls back after every `tell`, also of this instance, and when something may have been missed. May stay silent. */
  onNews(listener: (list: ListName) => void): void
  /** Gives back the turns of this instance. */
  close(): Promise<void>
}

export type Turn = {
  /** No two turns have the same; what is told in a turn bears it. */
  id: string
  /** Ends the turn and tells all; `body` null keeps the one that is there. False, telling nothing, when it had run out. */
  tell(state: Omit<SharedState, 'id'>, body: Uint8Array | null): Promise<boolean>
  /** Ends the turn if it has not ended. Never rejects. */
  release(): Promise<void>
}

const sharedStateSchema = z.object({
  /** Of the turn in which it was told. */
  id: z.string(),
  /** Why the last attempt failed; null when it did not. Holds no personal data. */
  problem: z.object({ kind: problemKindSchema, detail: z.string(), retryAfterMs: z.number().nullable() }).nullable(),
  /** Of the last good answer; times are ms since the epoch, `bytes` those of its body (0: not modified). */
  snapshot: z
    .object({
      version: z.int(),
      startedAt: z.number(),
      fetchedAt: z.number(),
      bytes: z.int(),
      validators: z.object({ etag: z.string().exactOptional(), lastModified: z.string().exactOptional() }),
    })
    .nullable(),
})
export type SharedState = z.infer<typeof sharedStateSchema>
export type SharedWhole = { state: SharedState; body: Uint8Array }

/** Null for what another release of Intag wrote and this one does not understand. */
export function parseSharedState(text: string): SharedState | null {
  try {
    return sharedStateSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** The share cannot be reached; the message is safe to log. */
export class ShareUnavailableError extends Error {
  override readonly name = 'ShareUnavailableError'
}
