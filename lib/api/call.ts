import type { DataTag } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Answer, EndpointName, Endpoints } from '@/lib/contract/endpoints'
import { ApiError, send, type SendOptions, toQueryString, withOfflineError } from './send'

type JsonEndpointName = { [Name in EndpointName]: Answer<Name> extends never ? never : Name }[EndpointName]

/** A call gives each part that the endpoint declares, unless an empty object is enough. */
type InputPart<E, Name extends string> =
  E extends Record<Name, infer S extends z.ZodType>
    ? object extends z.input<S>
      ? Partial<Record<Name, z.input<S>>>
      : Record<Name, z.input<S>>
    : Partial<Record<Name, never>>
export type Input<Name extends EndpointName> = InputPart<Endpoints[Name], 'params'> &
  InputPart<Endpoints[Name], 'query'> &
  InputPart<Endpoints[Name], 'body'>
type InputArgument<Name extends EndpointName> =
  object extends Input<Name> ? [input?: Input<Name> & Options] : [input: Input<Name> & Options]
type Options = Pick<SendOptions, 'signal'>

/** Calls an endpoint. Every failure but an abort is an `ApiError`, and so is an answer that is not JSON. */
export async function api<Name extends JsonEndpointName>(
  name: Name,
  ...input: InputArgument<Name>
): Promise<Answer<Name>> {
  const response = await requestApi(name, ...input)
  const text = await withOfflineError(input[0]?.signal, () => response.text())
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('unreadable', response.status)
  }
}

type AnyInput = SendOptions & {
  params?: Readonly<Record<string, unknown>> | undefined
  query?: Parameters<typeof toQueryString>[0] | undefined
}

export function requestApi<Name extends EndpointName>(name: Name, ...input: InputArgument<Name>): Promise<Response> {
  const [{ params = {}, query = {}, ...options } = {}] = input as [input?: AnyInput]
  const [method, pattern] = name.split(' ') as [SendOptions['method'], string]
  const path = pattern.replaceAll(/\[(\w+)\]/g, (_, param: string) => encodeURIComponent(String(params[param])))
  return send(path + toQueryString(query), { method, ...options })
}

export function apiQueryKey<Name extends EndpointName>(name: Name, input?: Partial<Input<Name>>): readonly unknown[] {
  return input === undefined ? [name] : [name, input]
}

export function apiQuery<Name extends JsonEndpointName>(name: Name, ...[input]: InputArgument<Name>) {
  return {
    queryKey: apiQueryKey(name, input) as DataTag<readonly unknown[], Answer<Name>>,
    queryFn: ({ signal }: { signal: AbortSignal }) => api(name, ...([{ ...input, signal }] as InputArgument<Name>)),
  }
}
