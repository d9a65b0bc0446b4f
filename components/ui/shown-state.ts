import { useRef, useSyncExternalStore } from 'react'

export type ShownState<State> = ReturnType<typeof createShownState<State>>

/** State outside React. Each component takes the part that it shows. */
export function createShownState<State>(first: State) {
  let state = first
  const listeners = new Set<() => void>()
  return {
    /** The server draws this state, so hydration begins with it. */
    first,
    read: () => state,
    show: (next: State) => {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The component is drawn again only when its part changes: another value, or an object with another field. */
export function useShown<State, Part>(
  { first, read, subscribe }: ShownState<State>,
  take: (state: State) => Part,
): Part {
  const last = useRef<Part>(undefined)
  const keep = (part: Part): Part => (isSame(last.current, part) ? (last.current as Part) : (last.current = part))
  return useSyncExternalStore(
    subscribe,
    () => keep(take(read())),
    () => keep(take(first)),
  )
}

export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.is(a[key], b[key]))
}

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'
