import { useMutation } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { AccountSection } from './account-section'

type DigestSectionProps = { email: string; isOn: boolean }

/** The mail with the day's counts, for those who want it; in the language they read when they choose. */
export function DigestSection({ email, isOn: first }: DigestSectionProps) {
  const t = useTranslations('mail.account')
  const language = useLocale()
  const [isOn, setOn] = useState(first)
  const { mutate, isPending } = useMutation({
    mutationFn: (on: boolean) =>
      api('PUT /api/preferences/[name]', { params: { name: 'digest' }, body: { value: { on, language } } }),
    onMutate: setOn,
    onSuccess: (_, on) => toast(t(on ? 'on' : 'off', { address: email })),
    onError: (_, on) => {
      setOn(!on)
      toast(t('failed'), { tone: 'error' })
    },
  })
  return (
    <AccountSection id="digest" title={t('title')} hint={t('hint')}>
      <label className="flex min-h-9 items-center gap-2 text-sm touch:min-h-11">
        <input
          type="checkbox"
          checked={isOn}
          disabled={isPending}
          onChange={(event) => mutate(event.target.checked)}
          className="size-4 accent-accent"
        />
        {t('label')}
      </label>
    </AccountSection>
  )
}
