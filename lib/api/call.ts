import type { DataTag } from '@tanstack/react-query'
import type { z } from 'zod'
import type { EndpointName, Endpoints } from '@/lib/contract/endpoints'
import { ApiError, queryString, orOffline, send, type Sending } from './send'

export type Answer<Name extends EndpointName> = Endpoints[Name] extends { answer: infer S extends z.ZodType }
  ? z.output<S>
  : Endpoints[Name] extends { content: unknown }
    ? never
    : Record<string, never>
type JsonName = { [Name in EndpointName]: Answer<Name> extends never ? never : Name }[EndpointName]

type Part<E, Name extends string> =
  E extends Record<Name, infer S extends z.ZodType>
    ? object extends z.input<S>
      ? { readonly [Named in Name]?: z.input<S> }
      : { readonly [Named in Name]: z.input<S> }
    : { readonly [Named in Name]?: never }
export type Input<Name extends EndpointName> = Part<Endpoints[Name], 'params'> &
  Part<Endpoints[Name], 'query'> &
  Part<Endpoints[Name], 'body'>
type InputArgument<Name extends EndpointName, More = unknown> =
  object extends Input<Name> ? [input?: Input<Name> & More] : [input: Input<Name> & More]
type AnyInput = Sending & {
  params?: Readonly<Record<string, unknown>> | undefined
  query?: Parameters<typeof queryString>[0] | undefined
}

/** Every failure but an abort is an `ApiError`, also an answer that is no JSON object. */
export async function api<Name extends JsonName>(
  name: Name,
  ...[input]: InputArgument<Name, Pick<Sending, 'signal'>>
): Promise<Answer<Name>> {
  const response = await request(name, input)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const text = await orOffline(input?.signal, () => response.text())
  let answer: unknown = null
  try {
    if (isJson) answer = JSON.parse(text)
  } catch {
    // It is no answer of ours, as below.
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw new ApiError('unreadable', response.status)
  return answer as Answer<Name>
}

export function apiResponse<Name extends EndpointName>(
  name: Name,
  ...[input]: InputArgument<Name, Pick<Sending, 'signal' | 'accept'>>
): Promise<Response> {
  return request(name, input)
}

function request(name: EndpointName, { params = {}, query = {}, ...sending }: AnyInput = {}): Promise<Response> {
  const [method, path] = name.split(' ') as [Sending['method'], string]
  const filled = path.replaceAll(/\[(\w+)\]/g, (_, part: string) => encodeURIComponent(String(params[part])))
  return send(filled + queryString(query), { method, ...sending })
}

export function keyOf<Name extends EndpointName>(name: Name, input?: Partial<Input<Name>>): readonly unknown[] {
  return input === undefined ? [name] : [name, input]
}

export function apiQuery<Name extends JsonName>(name: Name, ...[input]: InputArgument<Name>) {
  return {
    queryKey: keyOf(name, input) as DataTag<readonly unknown[], Answer<Name>>,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api(name, ...([{ ...input, signal }] as InputArgument<Name, { signal: AbortSignal }>)),
  }
}
