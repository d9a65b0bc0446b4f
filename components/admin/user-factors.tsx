import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { factorsOf, removeFactorsOf } from '@/lib/api/own-secrets'
import type { User } from '@/lib/contract/user'

/** For somebody whose telephone is gone: takes away the second step, where there is one. */
export function UserFactors({ user: { id, name } }: { user: User }) {
  const t = useTranslations('adminUsers')
  const client = useQueryClient()
  const { data } = useQuery(factorsOf(id))
  const { mutate, isPending } = useMutation({
    mutationFn: () => removeFactorsOf(id),
    onSuccess: () => toast(t('factorsRemoved', { name })),
    onError: () => toast(t('saveFailed'), { tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: factorsOf(id).queryKey }),
  })
  if (data === undefined || data.count === 0) return null
  return (
    <Notice size="sm" tone="plain" className="flex flex-wrap items-center justify-between gap-2">
      <span className="min-w-40 flex-1">{t('removeFactorsBody')}</span>
      <Button size="sm" variant="danger" busy={isPending} onClick={() => mutate()}>
        {t('removeFactors')}
      </Button>
    </Notice>
  )
}
