import { z } from 'zod'

export type Permission = 'leads:read' | 'leads:triage' | 'leads:reply' | 'leads:export' | 'interest:read' | 'admin'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

export type Endpoint = {
  summary: string
  who: Permission | 'signed-in' | 'anyone'
  /** The caller must have proved their identity in the last ten minutes. */
  proof?: true
  /** The endpoint may be called before a required second factor is set up. */
  enrolling?: true
  /** The route answers by itself, without the session, checks and log line that all other routes share. */
  hasOwnHandler?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType<object>
  requestTypes?: readonly string[]
  answer?: z.ZodType
  responseTypes?: readonly string[]
  /** Only this endpoint gives these statuses; `docs/api.md` begins with those of all endpoints. */
  errors?: Readonly<Record<number, string>>
}

export type EndpointDeclarations = Readonly<Record<`${Method} /api/${string}`, Endpoint>>

export function endpoint<
  RequiredPermission extends Endpoint['who'],
  const Details extends Omit<Endpoint, 'who' | 'summary'> = object,
>(who: RequiredPermission, summary: string, details: Details = {} as Details) {
  return { who, summary, ...details }
}

export const idParamsSchema = z.object({ id: z.string().max(100) })

export const idsSchema = z.array(z.string().min(1).max(500)).max(1_000)

export const momentSchema = z.iso.datetime()
export const isoDaySchema = z.iso.date()

export const namedRefSchema = z.strictObject({ id: z.string(), name: z.string() })
