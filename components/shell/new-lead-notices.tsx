import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useIsHidden } from '@/components/browser/browser-tab'
import { useIsLive } from '@/components/browser/live'
import { schoolCounts } from '@/lib/api/queries'
import { createNoticeThrottle } from '@/lib/inbox/notice-throttle'

const LOOK_MS = 5_000

/** Shows a notice of the browser when leads come while the tab is hidden. Counts only: anybody may see it. */
export function NewLeadNotices() {
  const t = useTranslations('shell.notices')
  const isLive = useIsLive()
  const questions = useQuery(schoolCounts('asked-questions', isLive)).data?.total
  const declarations = useQuery(schoolCounts('declarations-of-interest', isLive)).data?.total
  const isHidden = useIsHidden()
  const [throttle] = useState(createNoticeThrottle)
  useEffect(() => {
    if (questions === undefined || declarations === undefined) return
    const look = () => {
      const news = throttle({ questions, declarations }, isHidden, Date.now())
      if (news === null) return
      const parts = [
        news.declarations > 0 && t('declarations', { count: news.declarations }),
        news.questions > 0 && t('questions', { count: news.questions }),
      ]
      const notice = new Notification(parts.filter(Boolean).join(', '), { tag: 'intag', icon: '/icon.svg' })
      notice.addEventListener('click', () => window.focus())
    }
    look()
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [throttle, questions, declarations, isHidden, t])
  return null
}
