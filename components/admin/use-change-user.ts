'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { ApiError } from '@/lib/api/api-error'
import { changeUser, users } from '@/lib/api/users'
import type { User, UserChange } from '@/lib/contract/user'

/** Saves a change of a user and says so; `failure` says why it could not be. */
export function useChangeUser({ id, name }: User, onSaved: () => void) {
  const t = useTranslations('adminUsers')
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (change: UserChange) => changeUser(id, change),
    onSuccess: (_answer, { disabled }) => {
      toast(disabled === undefined ? t('saved') : t(disabled ? 'disabledToast' : 'enabledToast', { name }))
      onSaved()
      return client.invalidateQueries({ queryKey: users.queryKey })
    },
  })
  const isLastAdmin = error instanceof ApiError && error.status === 409
  return { save: mutate, isPending, failure: error === null ? null : isLastAdmin ? t('lastAdmin') : t('saveFailed') }
}
