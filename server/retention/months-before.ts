import 'server-only'

/** The same day of the month so many months earlier; its last day where there is no such day. */
export function monthsBefore(now: number, months: number): Date {
  const moment = new Date(now)
  const day = moment.getUTCDate()
  moment.setUTCDate(1)
  moment.setUTCMonth(moment.getUTCMonth() - months)
  const last = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
  moment.setUTCDate(Math.min(day, last))
  return moment
}
