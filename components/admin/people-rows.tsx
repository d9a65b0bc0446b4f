import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import type { Added } from './add-people'
import type { PlannedRow } from './people-file'
import { useScopeText } from './school-field'

const TONES = {
  new: 'outline',
  there: 'outline',
  wrong: 'warn',
  made: 'fill',
  mailed: 'fill',
  failed: 'danger',
} as const

export function PeopleRows({ rows, added }: { rows: readonly PlannedRow[]; added: ReadonlyMap<string, Added> }) {
  const t = useTranslations('adminUsers.import')
  const roleName = useTranslations('common.role')
  const scopeText = useScopeText()
  const stateOf = useStates()
  const isWrong = ({ plan, email }: PlannedRow) => plan.kind === 'wrong' || added.get(email)?.kind === 'failed'
  // What is to be mended is not far down a long table.
  const inOrder = rows.toSorted((one, other) => Number(isWrong(other)) - Number(isWrong(one)))
  return (
    <ul aria-label={t('rows')} className="shrink-0 overflow-hidden rounded-md border border-line text-xs">
      {inOrder.map(({ line, name, email, plan }) => {
        const one = added.get(email)
        const [state, note] = stateOf(plan, one)
        return (
          <li key={line} className="flex items-center gap-2 border-b border-line-soft px-3 py-2 last:border-b-0">
            <div className="min-w-0 flex-1 wrap-anywhere">
              <p className="text-sm">
                <bdi className="font-medium">{name}</bdi> <bdi className="text-mute">{email}</bdi>
              </p>
              {plan.kind === 'new' && (
                <p className="text-mute">{`${roleName(plan.person.role)} · ${scopeText(plan.person.schools)}`}</p>
              )}
              {note !== '' && <p className="font-medium">{`${t('line', { line: String(line) })}: ${note}`}</p>}
              {state === 'made' && one?.kind === 'made' && <code className="select-all">{one.url}</code>}
            </div>
            <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>
          </li>
        )
      })}
    </ul>
  )
}

function useStates() {
  const t = useTranslations('adminUsers')
  const mail = useTranslations('mail.failed')
  return (plan: PlannedRow['plan'], added: Added | undefined): [state: keyof typeof TONES, note: string] => {
    if (plan.kind === 'wrong') return ['wrong', t(plan.fault, { about: plan.about })]
    if (added?.kind === 'made') {
      const outcome = added.mail?.outcome
      return outcome === 'sent' ? ['mailed', ''] : ['made', outcome ? mail(outcome) : '']
    }
    if (plan.kind === 'differs') return ['there', t('import.differs')]
    return added?.kind === 'failed' && plan.kind === 'new' ? ['failed', t(added.why)] : [plan.kind, '']
  }
}
