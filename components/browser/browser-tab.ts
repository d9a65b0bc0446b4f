import { onlineManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

/** Whether nobody sees the tab: it lies behind another one, or its window is minimised. */
export function useIsHidden(): boolean {
  return useSyncExternalStore(onVisibilityChange, isHidden, () => false)
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

function isHidden(): boolean {
  return document.hidden
}

/** Puts the number of waiting leads before the page's title, where it can be read while the tab is hidden. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    document.title = titleWithCount(document.title, count)
    return () => {
      document.title = titleWithCount(document.title, 0)
    }
  }, [count])
}

/** `(3) Title`, or the bare title for none; whatever count stood there before is gone. */
export function titleWithCount(title: string, count: number): string {
  const bare = title.replace(/^\(\d+\) /, '')
  return count > 0 ? `(${count}) ${bare}` : bare
}

/** Whether the browser has a network. Without one no request is sent, so none fails either: only this shows it. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(onNetworkChange, isOnline, () => true)
}

function onNetworkChange(listener: () => void): () => void {
  return onlineManager.subscribe(listener)
}

function isOnline(): boolean {
  return onlineManager.isOnline()
}
