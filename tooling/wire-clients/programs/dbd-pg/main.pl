# DBD::Pg: libpq, the extended protocol, Perl's view of the catalog.
use strict;
use warnings;
use utf8;
use DBI;
use DBD::Pg qw(:pg_types);
use JSON::PP;
binmode STDERR, ":utf8";

my %target = map { $_ => $ENV{ 'WIRE_' . uc $_ } } qw(host port user password database server kind);
my $json = JSON::PP->new->utf8->canonical;
my $next_id = 0 + $ENV{WIRE_FIRST_ID};
$| = 1;

sub connected {
    my %options = @_;
    my $password = delete $options{password} // $target{password};
    my $source = "dbi:Pg:host=$target{host};port=$target{port};dbname=$target{database}";
    return DBI->connect( $source, $target{user}, $password,
        { RaiseError => 1, PrintError => 0, AutoCommit => 1, %options } );
}

sub check {
    my ( $name, $work, $needs ) = @_;
    return if defined $needs && $needs ne $target{server} && $needs ne $target{kind};
    my $held = eval { $work->(); 1 };
    my $detail = $held ? '' : "$@";
    print $json->encode( { name => $name, ok => $held ? \1 : \0, detail => $detail } ), "\n";
}

# As JSON; numbers and texts of the same digits are the same.
sub worded {
    my ($value) = @_;
    return 'null' unless defined $value;
    return '[' . join( ',', map { worded($_) } @$value ) . ']' if ref $value eq 'ARRAY';
    return '{' . join( ',', map { "$_:" . worded( $value->{$_} ) } sort keys %$value ) . '}' if ref $value eq 'HASH';
    return qq("$value");
}

sub equal {
    my ( $actual, $expected ) = map { worded($_) } @_;
    die "expected $expected, got $actual\n" if $actual ne $expected;
}

sub raised {
    my ( $database, $work ) = @_;
    eval { $work->(); 1 } and die "nothing was raised\n";
    return $database->state;
}

check( "DBD::Pg connects and knows the server", sub {
    my $database = connected();
    equal( $database->{pg_server_version} >= 150000 ? 1 : 0, 1 );
    equal( $database->{pg_db}, $target{database} );
    equal( $database->{pg_user}, $target{user} );
    equal( $database->{pg_standard_conforming_strings}, 'on' );
    equal( $database->{pg_pid} > 0 ? 1 : 0, 1 );
    $database->disconnect;
} );

check( "DBD::Pg is refused with a wrong password", sub {
    eval { connected( password => 'wrong' ); 1 } and die "it was let in\n";
    die $@ unless $@ =~ /authentication failed/;
} );

check( "DBD::Pg pings", sub {
    my $database = connected();
    equal( $database->ping, 1 );
    equal( $database->pg_ping, 1 );
    $database->begin_work;
    $database->do('select 1');
    equal( $database->ping, 3 );
    $database->rollback;
    $database->disconnect;
    equal( $database->ping, 0 );
} );

check( "DBD::Pg selects rows, columns and hashes", sub {
    my $database = connected();
    equal( $database->selectall_arrayref('select id, name from main.folders where id <= 2 order by id'), [ [ 1, 'root' ], [ 2, 'docs' ] ] );
    equal( $database->selectrow_hashref('select id, parent_id from main.folders where id = ?', undef, 1), { id => 1, parent_id => undef } );
    equal( $database->selectcol_arrayref('select id from main.orders order by id limit 3'), [ 1, 2, 3 ] );
} );

check( "DBD::Pg prepares on the server and runs again", sub {
    my $database = connected();
    my $statement = $database->prepare('select name from main.folders where id = ? and name <> ?');
    for my $id ( 1 .. 5, 1 .. 5 ) {
        $statement->execute( $id, 'nothing' );
        equal( scalar @{ $statement->fetchall_arrayref }, 1 );
    }
} );

check( "DBD::Pg prepares at once when told to", sub {
    my $database = connected();
    $database->{pg_switch_prepared} = 1;
    my $statement = $database->prepare( 'select count(*) from main.orders where id > $1', { pg_prepare_now => 1 } );
    $statement->execute(290);
    equal( $statement->fetchrow_arrayref, [10] );
    equal( $statement->{pg_prepare_name} =~ /^dbdpg_p/ ? 1 : 0, 1 );
} );

check( "DBD::Pg runs without server-side statements", sub {
    my $database = connected( pg_server_prepare => 0 );
    equal( $database->selectrow_arrayref( 'select name from main.folders where id = ?', undef, 2 ), ['docs'] );
} );

check( "DBD::Pg describes columns", sub {
    my $database = connected();
    my $statement = $database->prepare('select id, company_name, email, credit_limit, active from main.customers limit 1');
    $statement->execute;
    equal( $statement->{NAME}, [qw(id company_name email credit_limit active)] );
    equal( $statement->{pg_type}, [qw(int4 text varchar numeric bool)] );
    equal( $statement->{PRECISION}, [ 4, undef, 124, 10, 1 ] );
    equal( $statement->{SCALE}, [ undef, undef, undef, 2, undef ] );
    equal( $statement->{NULLABLE}, [ 0, 0, 1, 1, 0 ] );
    equal( $statement->{NUM_OF_FIELDS}, 5 );
} );

check( "DBD::Pg tells the types of parameters", sub {
    my $database = connected();
    my $statement = $database->prepare('select 1 from main.folders where id = ? and name = ?');
    equal( $statement->{NUM_OF_PARAMS}, 2 );
} );

check( "DBD::Pg counts written rows", sub {
    my $database = connected();
    my $id = $next_id++;
    equal( $database->do( 'insert into main.scratch (id, name) values (?, ?)', undef, $id, 'x' ), 1 );
    equal( $database->do( 'update main.scratch set note = ? where id = ?', undef, 'y', $id ), 1 );
    equal( $database->do( 'delete from main.scratch where id = ?', undef, $id ), 1 );
    equal( $database->do( 'delete from main.scratch where id = ?', undef, $id ), '0E0' );
} );

check( "DBD::Pg keeps texts, bytes and NULL", sub {
    my $database = connected();
    my $id = $next_id++;
    my $bytes = join '', map { chr } 0 .. 255;
    my $statement = $database->prepare('insert into main.scratch (id, name, note, bytes, code) values (?, ?, ?, ?, ?)');
    $statement->bind_param( 4, undef, { pg_type => PG_BYTEA } );
    $statement->execute( $id, "it's \\ é 😀", '', $bytes, undef );
    my ( $name, $note, $back, $code ) = $database->selectrow_array( 'select name, note, bytes, code from main.scratch where id = ?', undef, $id );
    equal( [ $name, $note, $code ], [ "it's \\ é 😀", '', undef ] );
    die 'other bytes' if $back ne $bytes;
} );

check( "DBD::Pg reads booleans and arrays", sub {
    my $database = connected();
    equal( $database->selectrow_arrayref('select flag from main.scratch where id <= 2 order by id'), [1] );
    equal( $database->selectrow_arrayref("select array['a', null, 'b c']::text[]"), [ [ 'a', undef, 'b c' ] ] );
} );

check( "DBD::Pg writes arrays", sub {
    my $database = connected();
    my $statement = $database->prepare("insert into main.pg_only (label, numbers, names) values ('perl', ?, ?) returning numbers, names");
    $statement->execute( [ 1, undef, 3 ], [ 'a"b', 'c,d' ] );
    equal( $statement->fetchrow_arrayref, [ [ 1, undef, 3 ], [ 'a"b', 'c,d' ] ] );
}, "postgres" );

check( "DBD::Pg commits and rolls back", sub {
    my $database = connected( AutoCommit => 0 );
    my ( $kept, $lost ) = ( $next_id++, $next_id++ );
    $database->do( 'insert into main.scratch (id, name) values (?, ?)', undef, $kept, 'x' );
    $database->commit;
    $database->do( 'insert into main.scratch (id, name) values (?, ?)', undef, $lost, 'x' );
    $database->rollback;
    equal( $database->selectcol_arrayref( 'select id from main.scratch where id in (?, ?)', undef, $kept, $lost ), [$kept] );
    $database->rollback;
} );

check( "DBD::Pg goes back to savepoints", sub {
    my $database = connected( AutoCommit => 0 );
    my $id = $next_id++;
    $database->do( 'insert into main.scratch (id, name) values (?, ?)', undef, $id, 'x' );
    $database->pg_savepoint('one');
    equal( raised( $database, sub { $database->do('select nothing') } ), '42703' );
    $database->pg_rollback_to('one');
    $database->pg_release('one');
    equal( $database->selectcol_arrayref( 'select id from main.scratch where id = ?', undef, $id ), [$id] );
    $database->rollback;
} );

check( "DBD::Pg begins read only", sub {
    my $database = connected( AutoCommit => 0 );
    $database->{ReadOnly} = 1;
    equal( raised( $database, sub { $database->do("insert into main.folders (name) values ('x')") } ), '25006' );
    $database->rollback;
} );

check( "DBD::Pg tells states", sub {
    my $database = connected();
    equal( raised( $database, sub { $database->do('select * from main.nowhere') } ), '42P01' );
    equal( raised( $database, sub { $database->do('selec 1') } ), '42601' );
    equal( raised( $database, sub { $database->do("insert into main.tags values (1, 'x')") } ), '23505' );
    equal( $database->pg_error_field('table'), 'tags' );
    equal( raised( $database, sub { $database->selectrow_array( 'select id from main.tags where id = ?', undef, 'x' ) } ), '22P02' );
} );

check( "DBD::Pg places errors", sub {
    my $database = connected();
    raised( $database, sub { $database->do('select nothing from main.tags') } );
    equal( $database->pg_error_field('statement_position'), '8' );
} );

check( "DBD::Pg lists tables and views", sub {
    my $database = connected();
    my @tables = map { $_->[2] } @{ $database->table_info( undef, 'main', '%', 'TABLE' )->fetchall_arrayref };
    equal( [ grep { $_ eq 'orders' } @tables ], ['orders'] );
    my @views = map { $_->[2] } @{ $database->table_info( undef, 'main', '%', 'VIEW' )->fetchall_arrayref };
    equal( [ grep { $_ eq 'open_orders' } @views ], ['open_orders'] );
    my @names = $database->tables( undef, 'main', 'orders' );
    equal( \@names, ['main.orders'] );
} );

check( "DBD::Pg lists columns", sub {
    my $database = connected();
    my $columns = $database->column_info( undef, 'main', 'order_items', '%' )->fetchall_arrayref( {} );
    equal( [ map { $_->{COLUMN_NAME} } @$columns ], [qw(order_id product_id quantity unit_price discount)] );
    equal( [ map { $_->{NULLABLE} } @$columns ], [ 0, 0, 0, 0, 0 ] );
    equal( $columns->[3]{pg_type}, 'numeric(10,2)' );
} );

check( "DBD::Pg finds primary keys", sub {
    my $database = connected();
    equal( [ $database->primary_key( undef, 'main', 'order_items' ) ], [qw(order_id product_id)] );
    my $key = $database->primary_key_info( undef, 'main', 'orders' )->fetchall_arrayref( {} );
    equal( [ map { $_->{COLUMN_NAME} . $_->{KEY_SEQ} } @$key ], ['id1'] );
} );

check( "DBD::Pg finds foreign keys", sub {
    my $database = connected();
    my $keys = $database->foreign_key_info( undef, undef, undef, undef, 'main', 'orders' )->fetchall_arrayref( {} );
    equal( [ sort map { "$_->{FK_COLUMN_NAME} $_->{UK_TABLE_NAME}" } @$keys ], [ 'customer_id customers', 'employee_id employees' ] );
    $keys = $database->foreign_key_info( undef, 'main', 'customers', undef, undef, undef )->fetchall_arrayref( {} );
    equal( [ grep { $_ eq 'orders' } map { $_->{FK_TABLE_NAME} } @$keys ], ['orders'] );
} );

check( "DBD::Pg lists types", sub {
    my $database = connected();
    equal( ( grep { $_->{TYPE_NAME} eq 'text' } $database->type_info ) ? 1 : 0, 1 );
} );

check( "DBD::Pg copies out and in", sub {
    my $database = connected();
    $database->do('copy (select id, name from main.folders where id <= 2 order by id) to stdout');
    my ( $line, @lines ) = ('');
    push @lines, $line while $database->pg_getcopydata($line) >= 0;
    equal( \@lines, [ "1\troot\n", "2\tdocs\n" ] );
    my $id = $next_id++;
    $database->do('copy main.scratch (id, name) from stdin');
    $database->pg_putcopydata("$id\tcopied\n");
    $database->pg_putcopyend;
    equal( $database->selectrow_arrayref( 'select name from main.scratch where id = ?', undef, $id ), ['copied'] );
} );

check( "DBD::Pg runs asynchronously and cancels", sub {
    my $database = connected();
    my $statement = $database->prepare( 'select count(*) from main.orders', { pg_async => PG_ASYNC } );
    $statement->execute;
    $database->pg_result;
    equal( $statement->fetchrow_arrayref, [300] );
    my $slow = $database->prepare( 'select count(*) from main.numbers a, main.numbers b where a.n + b.n < 0', { pg_async => PG_ASYNC } );
    $slow->execute;
    select undef, undef, undef, 0.2;
    equal( $database->pg_ready ? 1 : 0, 0 );
    equal( $database->pg_cancel ? 1 : 0, 1 );
    equal( $database->selectrow_arrayref('select 1'), [1] );
} );

check( "DBD::Pg gets inserted rows and the last key", sub {
    my $database = connected();
    my ($id) = $database->selectrow_array("insert into main.folders (name) values ('perl') returning id");
    equal( $id > 5 ? 1 : 0, 1 );
} );

check( "DBD::Pg reads with a cursor of its own", sub {
    my $database = connected( AutoCommit => 0 );
    $database->do('declare c cursor for select id from main.orders order by id');
    equal( $database->selectcol_arrayref('fetch 3 from c'), [ 1, 2, 3 ] );
    equal( scalar @{ $database->selectcol_arrayref('fetch all from c') }, 297 );
    $database->do('close c');
    $database->commit;
} );

check( "DBD::Pg runs a statement for each of many values", sub {
    my $database = connected();
    my $statement = $database->prepare('insert into main.scratch (id, name) values (?, ?)');
    my @ids = map { $next_id++ } 1 .. 50;
    equal( $statement->execute_array( {}, \@ids, 'array' ), 50 );
    equal( $database->do("delete from main.scratch where name = 'array'"), 50 );
} );
