'use client'

import { useEffect } from 'react'
import { titleWithCount } from '@/lib/inbox/title-with-count'

/** Puts the number of waiting leads before the page's title, where it can be read while the tab is hidden. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    document.title = titleWithCount(document.title, count)
    return () => {
      document.title = titleWithCount(document.title, 0)
    }
  }, [count])
}
