import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createWindowSubscription } from './external-store'

/** Tells whether the browser has a network. Requests do not show it: without a network they wait and do not fail. */
export const useIsOnline = () => useSyncExternalStore(onNetworkChange, () => onlineManager.isOnline(), returnTrue)

const onNetworkChange = (listener: () => void) => onlineManager.subscribe(listener)

/** Tells whether the screen has room for two panes (`desk` in the style sheet). */
export const useIsWide = () => useSyncExternalStore(onResize, isWide, returnTrue)

const onResize = createWindowSubscription('resize')
export const isWide = () => window.matchMedia('(width >= 51.25rem) and (height >= 30rem)').matches

/** Tells whether hydration is done. What is rendered only then is not in the server's HTML. */
export const useIsHydrated = () => useSyncExternalStore(subscribeToNothing, returnTrue, () => false)

const subscribeToNothing = () => () => {}
/** The server renders for a wide screen that is online, and hydration corrects that. */
const returnTrue = () => true
