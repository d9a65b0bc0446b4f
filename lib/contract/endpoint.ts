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
  summary: string
  who: Permission | 'signed-in' | 'anyone'
  /** The caller must have proved their identity within ten minutes. */
  proof?: true
  /** The endpoint may be called before a required second factor is set up. */
  enrolling?: true
  /** The endpoint has a handler of its own, without session, checks or log line. */
  hasOwnHandler?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType<object>
  requestTypes?: readonly string[]
  /** Without this and without `responseTypes` the answer is an empty object. */
  answer?: z.ZodType
  responseTypes?: readonly string[]
  /** These errors are the endpoint’s own; those of all endpoints are at the beginning of `docs/api.md`. */
  errors?: Readonly<Record<number, string>>
}

export type EndpointDeclarations = Readonly<Record<`${Method} /api/${string}`, Endpoint>>

export function endpoint<
  RequiredPermission extends Endpoint['who'],
  const Details extends Omit<Endpoint, 'who' | 'summary'> = object,
>(who: RequiredPermission, summary: string, details: Details = {} as Details) {
  return { who, summary, ...details }
}

/** A path with `[id]` has these parameters, unless its declaration has others. */
export const idParamsSchema = z.object({ id: z.string().max(100) })

export const momentSchema = z.iso.datetime()
export const isoDaySchema = z.iso.date()

export const namedRefSchema = z.strictObject({ id: z.string(), name: z.string() })
