import { z } from 'zod'

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

export type Endpoint = {
  what: string
  who: Permission | 'signed-in' | 'anyone'
  /** Only within ten minutes of a proof. */
  proof?: true
  /** Also before a required second factor is set up. */
  enrolling?: true
  /** With a handler of its own: no session, checks or log line. */
  apart?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType<object>
  types?: readonly string[]
  /** Without it, and without `content`, the answer is an empty object. */
  answer?: z.ZodType
  content?: readonly string[]
  /** Its own; those of every endpoint are at the beginning of `docs/api.md`. */
  errors?: Readonly<Record<number, string>>
}

export type Declared = Readonly<Record<`${Method} /api/${string}`, Endpoint>>

export function endpoint<Who extends Endpoint['who'], const More extends Omit<Endpoint, 'who' | 'what'> = object>(
  who: Who,
  what: string,
  more: More = {} as More,
) {
  return { who, what, ...more }
}

/** Of an `[id]` whose declaration says nothing else. */
export const byId = z.object({ id: z.string().max(100) })

export const moment = z.iso.datetime()
export const day = z.iso.date()

export const named = z.strictObject({ id: z.string(), name: z.string() })
