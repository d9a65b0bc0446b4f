CREATE TABLE "jobs" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "jobs_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"user_id" text NOT NULL,
	"state" text NOT NULL,
	"payload" json,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer NOT NULL,
	"conflicts" integer DEFAULT 0 NOT NULL,
	"cursor" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"owner" text NOT NULL,
	"heartbeat" timestamp with time zone NOT NULL,
	CONSTRAINT "jobs_state" CHECK ("jobs"."state" in ('running', 'finished', 'stopped'))
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("number") WHERE "jobs"."state" = 'running';
--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "payload" SET STORAGE EXTERNAL;
