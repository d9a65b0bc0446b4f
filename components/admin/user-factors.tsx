import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { factorsOf, removeFactorsOf } from '@/lib/api/own-secrets'
import type { User } from '@/lib/contract/user'
import { UserLine } from './user-line'

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
    <UserLine
      action={
        <Button size="sm" variant="danger" busy={isPending} onClick={() => mutate()}>
          {t('removeFactors')}
        </Button>
      }
    >
      {t('removeFactorsBody')}
    </UserLine>
  )
}
