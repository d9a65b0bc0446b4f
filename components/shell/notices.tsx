'use client'

import { useSyncExternalStore } from 'react'
import { lazyCode, useLazyCode } from '@/components/browser/lazy-code'
import { noticesAreOn, onNoticesChoice } from '@/components/browser/notices-choice'

const noticeCode = lazyCode(() => import('./new-lead-notices'))

/** Tells of new leads while the tab is hidden, where the person has chosen so. */
export function Notices() {
  const isOn = useSyncExternalStore(onNoticesChoice, noticesAreOn, () => false)
  const code = useLazyCode(noticeCode, isOn)
  // Nobody misses what only speaks up in a hidden tab: while its code cannot be fetched there is nothing to say.
  return isOn && code !== undefined && <code.NewLeadNotices />
}
