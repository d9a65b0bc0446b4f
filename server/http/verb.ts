import type { NextRequest } from 'next/server'
import type { z } from 'zod'
import type { Endpoint, Method, Permission } from '@/lib/contract/endpoint'
import type { EndpointName, Endpoints } from '@/lib/contract/endpoints'
import type { Session } from '@/server/access/session-cookie'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'

/** The function behind an endpoint, typed by its declaration. With `hasOwnHandler` it gets the bare request. */
export type Verb<E extends Endpoint> = E extends { hasOwnHandler: true }
  ? (services: Services, request: NextRequest, context: { params: Promise<Parsed<E, 'params'>> }) => Result<E>
  : (services: Services, viewer: ViewerOf<E>, input: Input<E>, call: Call<E>) => Result<E>

type ViewerOf<E extends Endpoint> = E['who'] extends Permission
  ? Allowed<E['who']>
  : E['who'] extends 'signed-in'
    ? Viewer
    : null
type Input<E> = Parsed<E, 'params'> & Parsed<E, 'query'> & Parsed<E, 'body'>
type Parsed<E, Part extends string> = E extends Record<Part, infer S extends z.ZodType> ? z.output<S> : unknown
type Call<E extends Endpoint> = { request: Request } & (E['who'] extends 'anyone' ? unknown : { session: Session })
type Result<E> = Response | Answer<E> | Promise<Response | Answer<E>>
type Answer<E> = E extends { answer: infer S extends z.ZodType }
  ? z.output<S>
  : E extends { responseTypes: unknown }
    ? never
    : void

export type Path = EndpointName extends `${Method} ${infer P}` ? P : never
type EndpointAt<M extends Method, P extends Path> = Extract<EndpointName, `${M} ${P}`>

export type Verbs<P extends Path> = {
  [M in Method as EndpointAt<M, P> extends never ? never : M]: Verb<Endpoints[EndpointAt<M, P>]>
}

/** Every verb is assignable to this method's type, because TypeScript compares parameters of methods bivariantly. */
export type AnyVerb = { verb(services: Services, ...args: unknown[]): unknown }['verb']
