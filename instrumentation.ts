/** Runs once when the server starts: settings are checked, the feed begins, and a shutdown closes what is open. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startUp } = await import('./server/start-up')
  await startUp()
}
