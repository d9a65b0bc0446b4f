import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import type { FollowedExport, PersonsHour, ReadingHour } from '@/lib/contract/reading'
import { fullTime } from '@/lib/time/format-date'

type HoursTableProps = { caption: string; hours: readonly (ReadingHour | PersonsHour)[]; hasPeople?: boolean }

/** How much was read in each hour, and why where it was more than usual. */
export function HoursTable({ caption, hours, hasPeople = false }: HoursTableProps) {
  const t = useTranslations('reading.hours')
  const words = useTranslations('reading')
  const names = hasPeople ? WITH_PEOPLE : ALONE
  const columns = names.map((name) => ({ name: t(name), isNumber: NUMBERS.has(name) }))
  return (
    <DataTable look="card" caption={caption} label={words('tableOf', { title: caption })} columns={columns}>
      {hours.map((hour) => (
        <HourRow key={`${'user' in hour ? hour.user.id : ''} ${hour.hour}`} hour={hour} hasPeople={hasPeople} />
      ))}
    </DataTable>
  )
}

const ALONE = ['hour', 'listed', 'opened', 'searches', 'reason'] as const
const WITH_PEOPLE = ['hour', 'who', 'listed', 'opened', 'searches', 'reason'] as const
const NUMBERS: ReadonlySet<string> = new Set(['listed', 'opened', 'searches'])

function HourRow({ hour, hasPeople }: { hour: ReadingHour | PersonsHour; hasPeople: boolean }) {
  const t = useTranslations('reading.hours')
  const locale = useLocale()
  const format = useFormatter()
  const isUnusual = hour.unusualAt !== null
  return (
    <tr>
      <td className={isUnusual ? 'tabular font-semibold whitespace-nowrap' : 'tabular whitespace-nowrap text-mute'}>
        <time dateTime={hour.hour}>{fullTime(Date.parse(hour.hour), locale)}</time>
      </td>
      {hasPeople && (
        <td>
          <bdi>{'user' in hour ? hour.user.name : ''}</bdi>
        </td>
      )}
      {([hour.listed, hour.opened, hour.searches] as const).map((count, place) => (
        <td key={ALONE[place + 1]} className="tabular text-right">
          {format.number(count)}
        </td>
      ))}
      <td className="min-w-40 wrap-anywhere">
        {isUnusual ? <Reason reason={hour.reason} /> : <span className="text-mute">{t('usual')}</span>}
      </td>
    </tr>
  )
}

function Reason({ reason }: { reason: string | null }) {
  const t = useTranslations('reading.hours')
  if (reason === null) return <span className="font-medium text-danger">{t('unanswered')}</span>
  return reason === '' ? t('unreadable') : reason
}

type ExportsTableProps = { caption: string; exports: readonly FollowedExport[]; hasPeople?: boolean }

/** Exports with what they were for. */
export function FollowedExports({ caption, exports: all, hasPeople = false }: ExportsTableProps) {
  const t = useTranslations('reading.exports')
  const words = useTranslations('reading')
  const locale = useLocale()
  const format = useFormatter()
  const names = hasPeople ? WITH_EXPORTER : OWN
  const columns = names.map((name) => ({ name: t(name), isNumber: name === 'count' }))
  return (
    <DataTable look="card" caption={caption} label={words('tableOf', { title: caption })} columns={columns}>
      {all.map(({ id, at, user, format: kind, count, purpose }) => (
        <tr key={id}>
          <td className="tabular whitespace-nowrap text-mute">
            <time dateTime={at}>{fullTime(Date.parse(at), locale)}</time>
          </td>
          {hasPeople && (
            <td>
              <bdi>{user?.name}</bdi>
            </td>
          )}
          <td>{kind}</td>
          <td className="tabular text-right">{format.number(count)}</td>
          <td className="min-w-40 wrap-anywhere">{purpose === '' ? t('unreadable') : purpose}</td>
        </tr>
      ))}
    </DataTable>
  )
}

const OWN = ['when', 'format', 'count', 'purpose'] as const
const WITH_EXPORTER = ['when', 'who', 'format', 'count', 'purpose'] as const
