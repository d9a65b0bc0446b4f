'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ExportPreview } from '@/lib/contract/export'
import { sinceTime } from '@/lib/time/format-time'
import { Segments } from './segments'

type WhichLeadsProps = { preview: ExportPreview; newOnly: boolean; onChange: (newOnly: boolean) => void }

/** All of them, or those that were in no earlier export of the same; asked only where there was one. */
export function WhichLeads({ preview, newOnly, onChange }: WhichLeadsProps) {
  const t = useTranslations('export.which')
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { fresh, lastExportAt } = preview
  if (fresh === null || lastExportAt === null) return null
  return (
    <Segments
      label={t('label')}
      value={newOnly ? 'fresh' : 'all'}
      options={[
        { value: 'all', text: t('all', { count: preview.count }) },
        { value: 'fresh', text: t('fresh', { count: fresh.count }), disabled: fresh.count === 0 },
      ]}
      hint={t('freshSince', { when: sinceTime(Date.parse(lastExportAt), now, locale) })}
      onChange={(value) => onChange(value === 'fresh')}
    />
  )
}
