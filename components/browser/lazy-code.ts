import { type ComponentType, createElement, type ReactNode, useEffect, useSyncExternalStore } from 'react'

export type LazyCode<Code> = ReturnType<typeof lazyCode<Code>>

/** Fetched when it is first wanted. A failure is tried again when it is wanted again, and when the network is back. */
export function lazyCode<Code>(load: () => Promise<Code>, network: EventTarget = globalThis) {
  const listeners = new Set<() => void>()
  let code: Code | undefined
  let hasFailed = false
  let last: Promise<Code | undefined> | null = null

  const notify = () => listeners.forEach((listener) => listener())
  const finish = (loaded: Code | undefined) => {
    code = loaded
    hasFailed = loaded === undefined
    // So that React's `use` has it at once, and no part flickers that was fetched ahead.
    if (last !== null) Object.assign(last, { status: 'fulfilled', value: loaded })
    notify()
    return loaded
  }
  const want = (): Promise<Code | undefined> => {
    if (last !== null && !hasFailed) return last
    const isAgain = hasFailed
    hasFailed = false
    last = load().then(finish, () => finish(undefined))
    if (isAgain) notify()
    return last
  }
  const forgetFailure = () => {
    if (hasFailed && listeners.size === 0) last = null
    if (last === null) hasFailed = false
  }
  const tryAgain = () => {
    if (hasFailed) void want()
  }
  return {
    read: () => code,
    /** The last try came to nothing, and no other is under way. */
    hasFailed: () => hasFailed,
    /** Fetches it unless it is here or on its way. Never throws: undefined says that it failed. */
    want,
    /** The same ahead of time: a failure is forgotten, and the next use tries again. */
    preload: () => want().then(forgetFailure),
    /** The last try, also one that came to nothing; the first is made here. */
    lastTry: () => last ?? want(),
    subscribe: (listener: () => void) => {
      if (listeners.size === 0) network.addEventListener('online', tryAgain)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        network.removeEventListener('online', tryAgain)
        forgetFailure()
      }
    },
  }
}

/** Code that a screen can do without for now: it is fetched while `isWanted`, and undefined meanwhile. */
export function useLazyCode<Code>(code: LazyCode<Code>, isWanted: boolean): Code | undefined {
  useEffect(() => {
    if (isWanted) void code.want()
  }, [code, isWanted])
  return useSyncExternalStore(code.subscribe, code.read, nothing)
}

const nothing = () => undefined

/** A part that the screen can do without: `fallback` stands in its place until its code is here. */
export function optionalPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
) {
  const code = lazyCode(load)
  return function OptionalPart(props: Props) {
    const Part = useLazyCode(code, true)
    return Part === undefined ? fallback : createElement(Part, props)
  }
}
