import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { useThisYear } from '@/components/browser/clock'
import { Button } from '@/components/ui/button'
import { focusAgain } from '@/components/ui/focus-return'
import { api, apiQuery } from '@/lib/api/call'

const params = { name: 'minors' } as const
const query = apiQuery('GET /api/preferences/[name]', { params })

/**
 * Says once a user and season that good marketing practice restricts advertising to minors (Swedish Marketing Act,
 * section 5). Who is one changes with the year.
 */
export function MinorsLine() {
  const t = useTranslations('common.minors')
  const client = useQueryClient()
  const season = useThisYear()
  const line = useRef<HTMLParagraphElement>(null)
  const { data, isPending } = useQuery({ ...query, staleTime: Infinity })
  const known = data?.value ?? null
  if (isPending || (known !== null && 'season' in known && known.season === season)) return null
  const acknowledge = () => {
    // The button goes, and the focus with it.
    const field = line.current?.closest('form, section')?.querySelector('textarea, select')
    setTimeout(() => focusAgain(field))
    client.setQueryData(query.queryKey, { value: { season } })
    api('PUT /api/preferences/[name]', { params, body: { value: { season } } }).catch(() => undefined)
  }
  return (
    <p ref={line} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 bg-warn px-3.5 py-2 text-xs text-warn-ink">
      <span className="min-w-0 flex-1 basis-60 text-pretty">{t('rule')}</span>
      <Button text={t('understood')} size="sm" onClick={acknowledge} />
    </p>
  )
}
