'use client'

import { useTranslations } from 'next-intl'
import { useSyncExternalStore } from 'react'
import { toast } from '@/components/ui/toast'
import { chooseNotices, noticesAreOn, onNoticesChoice } from './notices-choice'

/** Notices of new leads by the browser. It is asked for its permission only when a person turns them on. */
export function useNotices() {
  const t = useTranslations('shell.account')
  const isOn = useSyncExternalStore(onNoticesChoice, noticesAreOn, () => false)
  return {
    isOn,
    isPossible: 'Notification' in window,
    toggle: async () => {
      if (isOn) return chooseNotices(false)
      const isAllowed = (await Notification.requestPermission()) === 'granted'
      chooseNotices(isAllowed)
      toast(t(isAllowed ? 'noticesAreOn' : 'noticesDenied'), { tone: isAllowed ? 'plain' : 'error' })
    },
  }
}
