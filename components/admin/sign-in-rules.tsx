import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, useId } from 'react'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { toast } from '@/components/ui/toast'
import { api, apiQuery, keyOf } from '@/lib/api/call'
import type { SignInRules } from '@/lib/contract/second-factor'
import type { Role } from '@/lib/contract/user'

const ROLES = ['staff', 'manager', 'admin'] as const satisfies readonly Role[]

/** Which roles need a second step at sign-in, and from how many leads on an export asks who it is. */
export function SignInRulesCard() {
  const t = useTranslations('adminUsers.rules')
  const titleId = useId()
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/sign-in-rules'))
  return (
    <section aria-labelledby={titleId} className="max-w-2xl rounded-lg border border-line bg-panel p-4 shadow-card">
      <h2 id={titleId} className="text-sm font-semibold">
        {t('title')}
      </h2>
      <p className="mt-1 mb-3 text-sm text-pretty text-mute">{t('body')}</p>
      {data ? (
        <RulesForm key={JSON.stringify(data)} rules={data} />
      ) : isError ? (
        <LoadFailure onRetry={() => void refetch()}>{t('failed')}</LoadFailure>
      ) : (
        <Skeleton className="h-24" />
      )}
    </section>
  )
}

function RulesForm({ rules }: { rules: SignInRules }) {
  const t = useTranslations('adminUsers.rules')
  const users = useTranslations('adminUsers')
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (body: SignInRules) => api('PUT /api/sign-in-rules', { body }),
    onSuccess: () => toast(t('saved')),
    onError: () => toast(users('saveFailed'), { tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf('GET /api/sign-in-rules') }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const secondFactorFor = ROLES.filter((role) => form.getAll('role').includes(role))
    mutate({ secondFactorFor, proofAboveLeads: Number(form.get('above')) })
  }
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      <RoleTicks chosen={rules.secondFactorFor} />
      <Field label={t('proofAbove')} hint={t('proofHint')}>
        {(attributes) => (
          <Input
            {...attributes}
            name="above"
            type="number"
            required
            min={0}
            max={1_000_000}
            defaultValue={rules.proofAboveLeads}
            className="tabular max-w-40"
          />
        )}
      </Field>
      <Button type="submit" busy={isPending} className="self-start">
        {t('save')}
      </Button>
    </form>
  )
}

function RoleTicks({ chosen }: { chosen: readonly Role[] }) {
  const t = useTranslations('adminUsers.rules')
  const common = useTranslations('common.role')
  return (
    <fieldset className="flex flex-wrap gap-x-5">
      <legend className="text-sm font-medium">{t('roles')}</legend>
      {ROLES.map((role) => (
        <label key={role} className="flex min-h-9 items-center gap-2 text-sm touch:min-h-11">
          <input
            type="checkbox"
            name="role"
            value={role}
            defaultChecked={chosen.includes(role)}
            className="size-4 accent-accent"
          />
          {common(role)}
        </label>
      ))}
    </fieldset>
  )
}
