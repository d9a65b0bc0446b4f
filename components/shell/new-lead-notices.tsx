'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useIsHidden } from '@/components/inbox/use-is-hidden'
import { listCounts } from '@/lib/api/list-counts'
import { createNoticeGate } from '@/lib/inbox/notice-gate'

const LOOK_MS = 5_000

/** Counts only: what a screen shows while nobody sits at it must name nobody. */
export function NewLeadNotices() {
  const t = useTranslations('shell.notices')
  const questions = useQuery(listCounts('asked-questions', {})).data?.total
  const declarations = useQuery(listCounts('declarations-of-interest', {})).data?.total
  const isHidden = useIsHidden()
  const [gate] = useState(createNoticeGate)
  useEffect(() => {
    if (questions === undefined || declarations === undefined) return
    const look = () => {
      const news = gate({ questions, declarations }, isHidden, Date.now())
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
  }, [gate, questions, declarations, isHidden, t])
  return null
}
