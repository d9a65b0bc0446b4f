import 'server-only'
import type { ProblemKind } from '@/lib/contract/feed-status'

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 60_000
/** A refusal may be a blip of the service; if it lasts, once in five minutes finds out whether somebody mended the token. */
const REFUSED_RETRIES_MS = [30_000, 60_000, 120_000, 300_000]
const LIMITED_RETRY_MS = 60_000

/** The wait after the nth failure (or refusal) in a row, ms: doubling, with jitter so that no herd forms after an outage. */
export function retryDelay(kind: ProblemKind, retryAfterMs: number | null, failures: number, random: number): number {
  const jitter = 1 + random / 4
  switch (kind) {
    case 'unauthenticated':
    case 'unauthorized':
      return (REFUSED_RETRIES_MS[Math.min(failures, REFUSED_RETRIES_MS.length) - 1] ?? 0) * jitter
    case 'rate-limited':
      return (retryAfterMs ?? LIMITED_RETRY_MS) * jitter
    case 'unavailable':
    case 'unreadable':
      return Math.max(retryAfterMs ?? 0, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)) * jitter)
    default:
      return kind satisfies never
  }
}
