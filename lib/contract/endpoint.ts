import { z } from 'zod'

/** What a person may be allowed to do; which role may what stands in `server/access/viewer.ts`. */
export const PERMISSIONS = [
  'leads:read',
  'leads:triage',
  'leads:reply',
  'leads:export',
  'interest:read',
  'admin',
] as const
export type Permission = (typeof PERMISSIONS)[number]

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** One endpoint: the routes are made from it, and so are the browser's calls, the tests and `docs/api.md`. */
export type Endpoint = {
  /** What it is for, in one sentence. */
  what: string
  /** Who may: a permission, anybody who is signed in, or anyone at all. */
  who: Permission | 'signed-in' | 'anyone'
  /** Only within ten minutes of a proof of who it is. */
  proof?: true
  /** Also for a person who must set up a second factor before anything else. */
  enrolling?: true
  /** Waits like a reader when the server is busy: a body is sent, but it changes nothing. */
  load?: 'read'
  /** By its own handler: no session, check or log line of the other routes. */
  apart?: true
  /** From the path. */
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType<object>
  /** Content types of the body, where JSON is not the only one. */
  types?: readonly string[]
  /** The JSON of an answer with status 200; without it, and without `content`, an empty object: it was done. */
  answer?: z.ZodType
  /** Content types of answers that are no JSON. */
  content?: readonly string[]
  /** Statuses of its own, and when they are answered; those of every endpoint stand at the beginning of `docs/api.md`. */
  errors?: Readonly<Record<number, string>>
}

export type Declared = Readonly<Record<`${Method} /api/${string}`, Endpoint>>

/** An id in a path; nothing has a longer one. */
export const byId = z.object({ id: z.string().max(100) })

/** ISO 8601, and a calendar day in Europe/Stockholm. */
export const moment = z.iso.datetime()
export const day = z.iso.date()

export const named = z.strictObject({ id: z.string(), name: z.string() })
