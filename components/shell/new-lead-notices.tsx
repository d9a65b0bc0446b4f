import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useIsHidden } from '@/components/browser/browser-tab'
import { useIsLive } from '@/components/browser/live'
import { listTotal } from '@/lib/api/queries'

const CHECK_MS = 5_000

/** Shows a notice of the browser when leads come while the tab is hidden. Counts only: anybody may see it. */
export function NewLeadNotices() {
  const t = useTranslations('shell.notices')
  const isLive = useIsLive()
  const questions = useQuery(listTotal('asked-questions', isLive)).data?.total
  const declarations = useQuery(listTotal('declarations-of-interest', isLive)).data?.total
  const isHidden = useIsHidden()
  const [throttle] = useState(createNoticeThrottle)
  useEffect(() => {
    if (questions === undefined || declarations === undefined) return
    const notifyOfNews = () => {
      const news = throttle({ questions, declarations }, isHidden, Date.now())
      if (news === null) return
      const parts = [
        news.declarations > 0 && t('declarations', { count: news.declarations }),
        news.questions > 0 && t('questions', { count: news.questions }),
      ]
      const notice = new Notification(parts.filter(Boolean).join(', '), { tag: 'intag', icon: '/icon.svg' })
      notice.addEventListener('click', () => window.focus())
    }
    notifyOfNews()
    const timer = setInterval(notifyOfNews, CHECK_MS)
    return () => clearInterval(timer)
  }, [throttle, questions, declarations, isHidden, t])
  return null
}

type Totals = { questions: number; declarations: number }

const MIN_INTERVAL_MS = 60_000

/** Answers how many leads came since the tab was hidden or since the last notice, at most once a minute. */
export function createNoticeThrottle(): (now: Totals, isHidden: boolean, atMs: number) => Totals | null {
  let last: Totals | null = null
  let noticedAt = -Infinity
  return (now, isHidden, atMs) => {
    if (!isHidden || last === null) {
      last = now
      return null
    }
    const news = {
      questions: Math.max(0, now.questions - last.questions),
      declarations: Math.max(0, now.declarations - last.declarations),
    }
    if (news.questions + news.declarations === 0 || atMs - noticedAt < MIN_INTERVAL_MS) return null
    last = now
    noticedAt = atMs
    return news
  }
}
