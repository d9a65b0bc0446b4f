import { onlineManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

/** Whether nobody sees the tab: it lies behind another one, or its window is minimised. */
export function useIsHidden(): boolean {
  return useSyncExternalStore(onVisibilityChange, isHidden, () => false)
}

const onVisibilityChange = onEvents(() => document, 'visibilitychange')
const isHidden = () => document.hidden

/** Whether the browser has a network. Without one no request is sent, so none fails either: only this shows it. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(onNetworkChange, isOnline, () => true)
}

const onNetworkChange = (listener: () => void) => onlineManager.subscribe(listener)
const isOnline = () => onlineManager.isOnline()

/** Whether the screen has two panes (`desk` in the style sheet), so that a dialog stands in its middle. */
export function useIsWide(): boolean {
  return useSyncExternalStore(onWidthChange, isWide, () => true)
}

const WIDE = '(width >= 51.25rem)'
const onWidthChange = onEvents(() => window.matchMedia(WIDE), 'change')

export function isWide(): boolean {
  return window.matchMedia(WIDE).matches
}

/** Whether the browser has taken over from the server: what is drawn only then is in no HTML, and no first script. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(never, isTrue, isFalse)
}

const never = () => () => {}
const isTrue = () => true
const isFalse = () => false

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

const NOTICES = 'intag:notices'
const NOTICES_CHANGED = 'intag:notices-changed'

/** In another tab too. */
export const onNoticesChoice = onEvents(() => window, NOTICES_CHANGED, 'storage')

export function noticesAreOn(): boolean {
  return 'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(NOTICES) === 'on'
}

export function chooseNotices(isOn: boolean): void {
  if (isOn) localStorage.setItem(NOTICES, 'on')
  else localStorage.removeItem(NOTICES)
  window.dispatchEvent(new Event(NOTICES_CHANGED))
}

const CHARACTERS = 'intag:characters'
const CHARACTERS_CHANGED = 'intag:characters-changed'
const onCharactersChoice = onEvents(() => window, CHARACTERS_CHANGED, 'storage')

/** Whether single letters, digits and signs are commands (WCAG 2.1.4). A choice of this browser, where people dictate or share a keyboard. */
export function areCharactersCommands(): boolean {
  return localStorage.getItem(CHARACTERS) !== 'off'
}

export function useAreCharactersCommands(): boolean {
  return useSyncExternalStore(onCharactersChoice, areCharactersCommands, isTrue)
}

export function chooseCharacters(areCommands: boolean): void {
  if (areCommands) localStorage.removeItem(CHARACTERS)
  else localStorage.setItem(CHARACTERS, 'off')
  window.dispatchEvent(new Event(CHARACTERS_CHANGED))
}

function onEvents(targetOf: () => EventTarget, ...events: string[]): (listener: () => void) => () => void {
  return (listener) => {
    const target = targetOf()
    for (const event of events) target.addEventListener(event, listener)
    return () => events.forEach((event) => target.removeEventListener(event, listener))
  }
}
