import { onlineManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

/** Whether the browser has a network. Without one no request is sent, so no failure tells of it. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(onNetworkChange, () => onlineManager.isOnline(), isTrue)
}

const onNetworkChange = (listener: () => void) => onlineManager.subscribe(listener)

/** Whether the screen has two panes (`desk` in the style sheet), so that a dialog stands in its middle. */
export function useIsWide(): boolean {
  return useSyncExternalStore(onWidthChange, isWide, isTrue)
}

const wideScreenQuery = () => window.matchMedia('(width >= 51.25rem) and (height >= 30rem)')
const onWidthChange = createSubscription(wideScreenQuery, 'change')
export const isWide = () => wideScreenQuery().matches

/** Whether the browser has taken over from the server. What is drawn only then is in no HTML. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(subscribeToNothing, isTrue, () => false)
}

const subscribeToNothing = () => () => {}
const isTrue = () => true

export function useTitleCount(count: number): void {
  useEffect(() => {
    document.title = titleWithCount(document.title, count)
    return () => {
      document.title = titleWithCount(document.title, 0)
    }
  }, [count])
}

export function titleWithCount(title: string, count: number): string {
  const bare = title.replace(/^\(\d+\) /, '')
  return count > 0 ? `(${count}) ${bare}` : bare
}

const CHARACTERS_KEY = 'intag:characters'
const onCharactersChoice = createSubscription(() => window, CHARACTERS_KEY, 'storage')

/** Whether single letters, digits and signs are commands (WCAG 2.1.4). The browser remembers it, because the choice goes with its keyboard. */
export const hasCharacterShortcuts = () => localStorage.getItem(CHARACTERS_KEY) !== 'off'

export function setCharacterShortcuts(isOn: boolean): void {
  localStorage.setItem(CHARACTERS_KEY, isOn ? 'on' : 'off')
  window.dispatchEvent(new Event(CHARACTERS_KEY))
}

export function useHasCharacterShortcuts(): boolean {
  return useSyncExternalStore(onCharactersChoice, hasCharacterShortcuts, isTrue)
}

/** A subscription to events, as `useSyncExternalStore` and effects take one. */
export function createSubscription(getTarget: () => EventTarget, ...events: string[]) {
  return (listener: (event: Event) => void): (() => void) => {
    const unsubscribe = new AbortController()
    for (const event of events)
      getTarget().addEventListener(event, listener, { passive: true, signal: unsubscribe.signal })
    return () => unsubscribe.abort()
  }
}
