'use client'

import { useTranslations } from 'next-intl'
import { SkeletonRow } from './skeleton-row'

const SCREENFUL = 12

export function LoadingRows() {
  const t = useTranslations('common')
  return (
    <div className="overflow-hidden">
      <output className="sr-only">{t('loading')}</output>
      {Array.from({ length: SCREENFUL }, (_, index) => (
        <SkeletonRow key={index} index={index} />
      ))}
    </div>
  )
}
