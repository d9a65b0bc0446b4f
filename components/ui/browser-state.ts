import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createWindowSubscription } from './external-store'

/** Tells whether the browser has a network. It must be asked, because without a network requests wait and do not fail. */
export const useIsOnline = () => useSyncExternalStore(onNetworkChange, () => onlineManager.isOnline(), isTrue)

const onNetworkChange = (listener: () => void) => onlineManager.subscribe(listener)

/** Tells whether the screen has room for two panes (`desk` in the style sheet). */
export const useIsWide = () => useSyncExternalStore(onResize, isWide, isTrue)

const onResize = createWindowSubscription('resize')
export const isWide = () => window.matchMedia('(width >= 51.25rem) and (height >= 30rem)').matches

/** Tells whether hydration is done. What is rendered only then is not in the server's HTML. */
export const useIsHydrated = () => useSyncExternalStore(subscribeToNothing, isTrue, () => false)

const subscribeToNothing = () => () => {}
/** The server renders for a wide screen that is online, and hydration corrects that. */
const isTrue = () => true
