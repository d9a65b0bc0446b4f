import 'server-only'
import type { HighSchool } from '@/lib/contract/lead'
import type { ProblemKind } from '@/lib/contract/snapshot'

export type Validators = { etag?: string; lastModified?: string }

/** `detail` names a fault in our own words: it never repeats what the service sent, nor the token. */
export type Problem = { ok: false; kind: ProblemKind | 'not-found'; detail: string; retryAfterMs?: number }
/** Nothing was sent. */
export type NoBudget = { ok: false; kind: 'no-budget'; retryAtMs: number }
export type FailedFetch = Problem | NoBudget

/** Wall clock, ms; `bytes` counts the decoded body. */
type Course = { startedAt: number; finishedAt: number; bytes: number }
export type WholeBody = { ok: true; notModified: false; body: Uint8Array; validators: Validators } & Course
export type NotModified = { ok: true; notModified: true; validators: Validators } & Course
export type FoundHighSchool = { ok: true; highSchool: HighSchool } & Course
