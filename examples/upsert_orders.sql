-- A day's changes merged into a table of orders. Running the same batch again changes nothing.
CREATE OR REPLACE TABLE orders (
  order_id BIGINT, customer_id STRING, status STRING, amount DECIMAL(10,2), updated_at TIMESTAMP
) USING delta;

INSERT INTO orders VALUES
  (1001, 'C01', 'shipped',   25.50, TIMESTAMP '2026-10-02 08:00:00'),
  (1002, 'C02', 'cancelled', 12.00, TIMESTAMP '2026-10-03 09:00:00'),
  (1004, 'C01', 'placed',    40.00, TIMESTAMP '2026-10-02 12:45:00'),
  (1005, 'C09', 'placed',     8.75, TIMESTAMP '2026-10-03 14:10:00');

-- Two rows must not get through: 1001 has not changed, and 1002 arrives late, from before the
-- order was cancelled.
CREATE OR REPLACE TEMP VIEW changes AS
SELECT * FROM VALUES
  (1001, 'C01', 'shipped',   25.50, TIMESTAMP '2026-10-02 08:00:00'),
  (1002, 'C02', 'placed',    12.00, TIMESTAMP '2026-10-01 10:02:00'),
  (1004, 'C01', 'shipped',   40.00, TIMESTAMP '2026-10-04 08:30:00'),
  (1005, 'C09', 'cancelled',  8.75, TIMESTAMP '2026-10-04 10:00:00'),
  (1006, 'C02', 'placed',    19.90, TIMESTAMP '2026-10-04 11:20:00')
  AS batch(order_id, customer_id, status, amount, updated_at);

MERGE INTO orders AS t
USING changes AS s
ON t.order_id = s.order_id
WHEN MATCHED AND s.updated_at > t.updated_at THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;

MERGE INTO orders AS t
USING changes AS s
ON t.order_id = s.order_id
WHEN MATCHED AND s.updated_at > t.updated_at THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;

SELECT order_id, status, updated_at FROM orders ORDER BY order_id;
